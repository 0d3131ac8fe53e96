"""usage: schema_check.py SCHEMA FILE — each line of the file is JSON as the schema has it."""
import json
import sys

import jsonschema

validator = jsonschema.Draft202012Validator(json.load(open(sys.argv[1])))
for line in open(sys.argv[2]):
    validator.validate(json.loads(line))
