"""What pages share: the registry of pages, choices and links, computations and jobs, components."""
