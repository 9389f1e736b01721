#!/bin/sh
# Lays the tests over the tree, runs them, and writes junit.xml and reward.json.
tests=$(cd "$(dirname "$0")" && pwd)
out=${VERIFIER_DIR:-/logs/verifier}
mkdir -p "$out" && rm -f "$out/junit.xml" "$out/reward.json"
cd "${WORKDIR:-/workspace}" || exit 3
if [ -d "$tests/files" ]; then cp -R "$tests/files/." . || exit 3; fi
options="-p no:cacheprovider -o junit_family=xunit1 --junitxml=$out/junit.xml"
if [ -n "$TEST_ORDER_SEED" ]; then
  export PYTHONPATH="$tests${PYTHONPATH:+:$PYTHONPATH}"
  options="$options -p random_order"
fi
export PYTEST_ADDOPTS="${PYTEST_ADDOPTS:+$PYTEST_ADDOPTS }$options"
(
python3 -m pytest tests/test_slug.py
)
code=$?
python3 -I "$tests/reward.py" "$out/junit.xml" "$tests/expected.json" "$out/reward.json"
exit $code
