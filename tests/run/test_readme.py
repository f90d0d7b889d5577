"""What the README shows is what the compiler makes."""
import re

from conftest import ROOT, run_pyk2cu


def test_the_readme_shows_the_cpp_of_its_python(tmp_path):
    blocks = dict(re.findall(r"```(python|cpp)\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL))
    (tmp_path / "sum2d.py").write_text(blocks["python"])
    done = run_pyk2cu(tmp_path / "sum2d.py", "-o", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert blocks["cpp"] in (tmp_path / "out/sum2d.cpp").read_text()
