/**
 * Runs in the user's own Python. First line of its input: place, name, settings and totals of a W&B
 * run; then a line for each step. Writes an offline folder and opens no connection of its own.
 */
export const WANDB_SCRIPT = `
import json, sys
try:
    import wandb
except ImportError:
    sys.stderr.write("NO_WANDB\\n")
    sys.exit(3)
head = json.loads(sys.stdin.readline())
settings = {"mode": "offline", "console": "off", "silent": True, "disable_git": True,
            "save_code": False, "x_disable_meta": True, "x_disable_stats": True}
known = getattr(wandb.Settings, "model_fields", None)
if known is not None:
    settings = {name: value for name, value in settings.items() if name in known}
run = wandb.init(project=head["project"], name=head["name"], dir=head["dir"], job_type="evaluation",
                 config=head["config"], settings=wandb.Settings(**settings))
for line in sys.stdin:
    row = json.loads(line)
    run.log(row["figures"], step=row["step"])
for name, value in head["totals"].items():
    run.summary[name] = value
run.finish()
sys.stdout.write(wandb.__version__)
`;
