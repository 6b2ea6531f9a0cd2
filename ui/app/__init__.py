"""What every page uses: choices and links, caches and jobs, components."""
