"""Checks each line of a file against a JSON schema. Usage: schema_check.py SCHEMA FILE"""
import json
import sys

import jsonschema

validator = jsonschema.Draft202012Validator(json.load(open(sys.argv[1])))
for line in open(sys.argv[2]):
    validator.validate(json.loads(line))
