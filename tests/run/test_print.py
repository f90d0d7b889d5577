"""print(...) inside compiled functions: the text that Python prints."""
from conftest import Batch

batch = Batch("printing")
batch.add('''
@njit("void(int64, float64, complex128, boolean)")
def show(n, x, z, flag):
    print("values", n, x, z, flag, (n, x), None)
''')


def test_print_spells_values_as_python_does(capfd):
    for n, x, z, flag in ((1, 0.1, 1 - 2j, True), (-5, 1e16, 2j, False), (0, 1e-5, 0.5 + 0.25j, True),
                          (2**62, float("nan"), 0j, True), (7, -0.0, 1e300 + 1j, True), (8, 123456.75, 3j, False)):
        batch.show(n, x, z, flag)
        expected = " ".join(map(str, ("values", n, x, z, flag, (n, x), None))) + "\n"
        assert capfd.readouterr().out == expected
