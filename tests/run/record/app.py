"""The program that test_record.py runs under `pyk2cu record`: prints its results, forks, spawns, and exits with 7."""
import json
import multiprocessing
import os
import sys

import calls
import numpy as np
from pk import kern


def child(number):
    kern.same(np.float32(number))
    os._exit(0)  # nothing runs at exit


def main():
    results = []
    for name, arguments in calls.CALLS:
        function = kern
        for part in name.split("."):
            function = getattr(function, part)
        results.append(calls.result(function, arguments(kern)))
    for method in ("fork", "spawn"):
        process = multiprocessing.get_context(method).Process(target=child, args=(1,))
        process.start()
        process.join()
    print(json.dumps(results))
    return 7


if __name__ == "__main__":
    sys.exit(main())
