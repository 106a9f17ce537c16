const result = 'mongo-perf-results/quickstart/result.json'
const compared = 'before/result.json after/result.json'

/** Arguments that people type first, by command, shown below its options; `shop.mprec` and `dump/` are a user's own. */
export const examples: Readonly<Record<string, readonly string[]>> = {
  run: ['quickstart', 'quickstart --set rate=3000 --repeat 6', "spec.json --threshold 'findOne.p99Ms < 10'"],
  check: ['spec.json', 'spec.json --json', 'specs/ --format github'],
  report: [result, `${result} --format csv`, `${result} --into PERFORMANCE.md`],
  compare: [compared, `${compared} --format github`, `${compared} --html verdicts.html`],
  ab: ['a engine:driver --b engine:wire', 'b target.server.cacheGB=0.5', 'b driver:old/node_modules/mongodb'].map(
    (sides) => `quickstart --${sides}`,
  ),
  size: [
    'quickstart --p99 20',
    "quickstart --by cache --holds 'findOne.responseP95Ms < 5'",
    'spec.json --p99 20 --uri mongodb://localhost:27017',
  ],
  history: ['', 'quickstart --out history', '--format json'],
  micro: ['--quick', '--filter bulk', '--data driver-data/'],
  init: ['my-spec.json', '--from shop.orders --uri mongodb://localhost:27017', '--from-recording shop.mprec'],
  record: ['--to mongodb://localhost:27017', '--from-profile shop', '--from-log mongod.log'].map(
    (from) => `${from} --out shop.mprec`,
  ),
  inspect: ['shop.mprec', 'shop.mprec --html traffic.html', 'shop.mprec --format json'],
  advise: [
    'shop.mprec --data dump/',
    `shop.orders --query '{"at":1}' --allow-index shop.orders`,
    '--from-profile shop --uri mongodb://db:27017 --data dump/',
  ],
  replay: ['--data dump/', '--data dump/ --speed 2', '--uri mongodb://localhost:27017'].map(
    (how) => `shop.mprec ${how}`,
  ),
  list: ['', 'operations', 'columns --format json'],
  agent: ['', ' --name left --threads 2', ' --allow-writes shop.orders'].map(
    (how) => `--queue redis://queue:6379${how}`,
  ),
  agents: ['localhost:6379', 'queue:6379', 'queue:6379 --format json'].map((queue) => `--queue redis://${queue}`),
  clean: ['', '--uri mongodb://localhost:27017', '--uri "$MONGO_PERF_URI"'],
  completion: ['bash >> ~/.bashrc', 'zsh > ~/.zfunc/_mongo-perf', 'fish | source'],
  help: ['', 'run', 'sizing'],
  import: ['workloada', 'workloadb --out b.json', 'workloadc -p recordcount=1000 --out c.json'].map(
    (how) => `ycsb ${how}`,
  ),
  schema: ['', '> spec.schema.json', '| jq .properties.phases'],
  doctor: ['', '--download 8.0', '--format json'],
}
