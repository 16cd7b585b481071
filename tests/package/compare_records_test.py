"""scripts/compare_records.py on documents made up here and on the stored record: compare_records_test.py ROOT."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop()).resolve()
STORED = ROOT / "bench/results/2026-11-20-h200-throughput.json"


def throughput(times, gpu="NVIDIA H200, driver 580, CUDA 13", date="2026-11-20"):
    """A document of gradus_bench_throughput; times by number of designs."""
    row = {"mechanism": "five-bar", "parameters": 5, "steps": 100, "deviation": 1e-13}
    batches = [{**row, "backend": "cuda:0", "designs": designs, "total_s": seconds} for designs, seconds in times.items()]
    batches += [{**row, "backend": "cpu:16", "designs": designs, "total_s": 1.0} for designs in times]
    return {"benchmark": "throughput", "date": date, "machine": {"gpu": gpu}, "batches": batches}


def bench(seconds):
    """A document of `gradus bench`."""
    rows = [{"model": "five-bar", "method": method, "backend": "cuda", "backend_ran": "cuda:0", "designs": 64,
             "parameters": 5, "steps": 100, "seconds": seconds} for method in ("direct", "adjoint")]
    return {"schema": "gradus-bench/1", "machine": {"gpu": "NVIDIA H200"}, "rows": rows}


class CompareRecordsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="gradus-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, document):
        file = self.folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(document if isinstance(document, str) else json.dumps(document))
        return file

    def compare(self, code, record, new, *arguments):
        process = subprocess.run([sys.executable, ROOT / "scripts/compare_records.py", record, new, *arguments],
                                 capture_output=True, text=True, check=False)
        self.assertEqual(process.returncode, code, process.stdout + process.stderr)
        self.assertNotIn("Traceback", process.stderr)
        return process.stdout + process.stderr

    def compare_times(self, code, then, now, *arguments):
        return self.compare(code, self.write("then.json", throughput(then)), self.write("now.json", throughput(now)),
                            *arguments)

    def test_the_same_is_kept(self):
        self.assertIn("2 rows kept, 0 slower", self.compare_times(0, {1: 0.05, 64: 0.1}, {1: 0.05, 64: 0.1}))
        self.assertIn(" 0 slower", self.compare(0, STORED, STORED))

    def test_a_slower_row_is_named(self):
        output = self.compare_times(1, {1: 0.05, 64: 0.1}, {1: 0.05, 64: 0.112})
        self.assertIn("WORSE  five-bar, direct, cuda:0, 64 designs", output)
        self.assertIn("+12.0 %", output)
        self.assertIn("1 rows kept, 1 slower", output)

    def test_tolerance(self):
        self.compare_times(0, {1: 0.1}, {1: 0.109})
        self.compare_times(1, {1: 0.1}, {1: 0.109}, "--tolerance", "0.05")
        self.compare_times(0, {1: 0.1}, {1: 0.01}, "--tolerance", "0")
        for text in ("-1", "nan", "x"):
            self.compare_times(2, {1: 0.1}, {1: 0.1}, "--tolerance", text)

    def test_a_row_without_time_is_worse(self):
        self.assertIn("has no time now", self.compare_times(1, {1: 0.1}, {1: None}))
        self.assertIn("has no time now", self.compare_times(1, {1: 0.1, 64: 0.1}, {1: 0.1}))

    def test_new_rows_do_no_harm(self):
        self.assertIn("new ", self.compare_times(0, {1: 0.1}, {1: 0.1, 64: 9}))
        self.compare_times(0, {1: 0.1, 64: None}, {1: 0.1, 64: 9})

    def test_other_backends_count_if_asked_for(self):
        self.assertIn("cpu:16", self.compare_times(0, {1: 0.1}, {1: 9}, "--backend", "cpu"))
        self.compare_times(2, {1: 0.1}, {1: 0.1}, "--backend", "debug")

    def test_bench_documents(self):
        self.compare(0, self.write("then.json", bench(0.1)), self.write("now.json", bench(0.1)))
        self.assertIn("0 rows kept, 2 slower", self.compare(1, self.folder / "then.json", self.write("now.json", bench(0.2))))

    def test_newest_record_of_a_folder(self):
        new = self.write("new.json", throughput({1: 0.1}))
        self.write("records/a.json", throughput({1: 0.1}, date="2026-11-22"))
        self.write("records/b.json", throughput({1: 0.01}, date="2026-11-21"))
        self.write("records/c.json", throughput({1: 0.01}, gpu="NVIDIA H100", date="2026-11-23"))
        self.write("records/d.json", {"benchmark": "precision"})
        self.assertIn("a.json", self.compare(0, self.folder / "records", new))
        self.write("records/e.json", throughput({1: 0.01}, date="2026-11-24"))
        self.assertIn("e.json", self.compare(1, self.folder / "records", new))

    def test_machines_are_not_mixed(self):
        new = self.write("new.json", throughput({1: 0.1}, gpu="NVIDIA T4, driver 1"))
        self.assertIn("different machines", self.compare(2, STORED, new))
        self.assertIn("no record of throughput on NVIDIA T4", self.compare(2, ROOT / "bench/results", new))

    def test_what_is_no_document(self):
        for text in ("", "[]", "{}", '{"benchmark": "throughput", "machine": {}, "batches": [{}]}', "null"):
            self.assertIn("no document of a benchmark", self.compare(2, STORED, self.write("new.json", text)))
        self.assertIn("cannot be read", self.compare(2, STORED, self.folder / "none.json"))


if __name__ == "__main__":
    unittest.main()
