"""Checks all models against the JSON Schema: models_fit_schema.py ROOT. Ends with 77 where `jsonschema` is missing.

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


def main():
    root = pathlib.Path(sys.argv[1])
    schema = json.loads((root / "schema" / "gradus-model-1.json").read_text(encoding="utf-8"))
    validator_class = jsonschema.validators.validator_for(schema)
    validator_class.check_schema(schema)
    validator = validator_class(schema)
    folders = [root / "models", root / "tests" / "unit" / "model" / "models"]
    models = sorted(path for folder in folders for path in folder.rglob("*.json"))
    wrong = 0
    checked = 0
    for path in models:
        model = json.loads(without_comments(path.read_text(encoding="utf-8")))
        if not str(model.get("schema", "")).startswith("gradus-model/"):
            continue
        checked += 1
        for error in validator.iter_errors(model):
            wrong += 1
            print(f"{path.relative_to(root)}: /{'/'.join(map(str, error.absolute_path))}: {error.message}")
    if validator.is_valid({"schema": "gradus-model/1", "name": "no bodies", "bodies": {}, "joints": {}}):
        wrong += 1
        print("the schema accepts a model without bodies")
    print(f"{checked} models checked, {wrong} complaints")
    sys.exit(1 if wrong or checked == 0 else 0)


if __name__ == "__main__":
    main()
