"""Checks all models and studies against their JSON Schemas: models_fit_schema.py ROOT. Ends with 77 where `jsonschema`
is missing.

Beside the models that come with gradus there is one that says everything a model can say.
"""

import json
import pathlib
import sys

try:
    import jsonschema
except ImportError:
    print("the Python package jsonschema is not installed")
    sys.exit(77)


def without_comments(text):
    """JSON text whose // and /* */ comments, where they stand outside strings, are blanks."""
    kept = []
    i = 0
    while i < len(text):
        if text[i] == '"':
            end = i + 1
            while text[end] != '"':
                end += 2 if text[end] == "\\" else 1
            kept.append(text[i:end + 1])
            i = end + 1
        elif text.startswith("//", i):
            i = text.find("\n", i) if "\n" in text[i:] else len(text)
        elif text.startswith("/*", i):
            i = text.index("*/", i) + 2
            kept.append(" ")
        else:
            kept.append(text[i])
            i += 1
    return "".join(kept)


def validator_of(root, kind):
    schema = json.loads((root / "schema" / f"gradus-{kind}-1.json").read_text(encoding="utf-8"))
    validator_class = jsonschema.validators.validator_for(schema)
    validator_class.check_schema(schema)
    return validator_class(schema)


def main():
    root = pathlib.Path(sys.argv[1])
    validators = {f"gradus-{kind}/1": validator_of(root, kind) for kind in ("model", "study")}
    folders = [root / "models", root / "examples", root / "tests" / "unit" / "model" / "models"]
    wrong = 0
    checked = dict.fromkeys(validators, 0)
    for path in sorted(path for folder in folders for path in folder.rglob("*.json")):
        document = json.loads(without_comments(path.read_text(encoding="utf-8")))
        schema = document.get("schema")
        if schema not in validators:
            continue
        checked[schema] += 1
        for error in validators[schema].iter_errors(document):
            wrong += 1
            print(f"{path.relative_to(root)}: /{'/'.join(map(str, error.absolute_path))}: {error.message}")
    for mistake in ({"schema": "gradus-model/1", "name": "no bodies", "bodies": {}, "joints": {}},
                    {"schema": "gradus-study/1", "name": "nothing wanted", "model": "m.json"}):
        if validators[mistake["schema"]].is_valid(mistake):
            wrong += 1
            print(f"the schema accepts {mistake}")
    print(f"checked {checked}, {wrong} complaints")
    sys.exit(1 if wrong or 0 in checked.values() else 0)


if __name__ == "__main__":
    main()
