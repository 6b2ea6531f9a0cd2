"""Write the sample tasks: python -m nlpsig_core.laboratory.synthesis sample_data"""

import sys

from nlpsig_core.laboratory.synthesis.samples import write_samples

if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m nlpsig_core.laboratory.synthesis DIRECTORY")
    for path in write_samples(sys.argv[1]):
        print(path)
