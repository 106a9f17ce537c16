/** Commands that people type first, shown below the options of each; `shop.mprec` and `dump/` are a user's own. */
export const examples: Readonly<Record<string, readonly string[]>> = {
  run: [
    'mongo-perf run quickstart',
    'mongo-perf run quickstart --set rate=3000 --repeat 6',
    "mongo-perf run spec.json --threshold 'findOne.p99Ms < 10'",
  ],
  check: ['mongo-perf check spec.json', 'mongo-perf check spec.json --json', 'mongo-perf check specs/ --format github'],
  report: [
    'mongo-perf report mongo-perf-results/quickstart',
    'mongo-perf report mongo-perf-results/quickstart --format csv',
    'mongo-perf report mongo-perf-results/quickstart --into PERFORMANCE.md',
  ],
  compare: [
    'mongo-perf compare before/result.json after/result.json',
    'mongo-perf compare before/result.json after/result.json --format github',
    'mongo-perf compare before/result.json after/result.json --html verdicts.html',
  ],
  ab: [
    'mongo-perf ab quickstart --a engine:driver --b engine:wire',
    'mongo-perf ab quickstart --b target.server.cacheGB=0.5',
    'mongo-perf ab quickstart --b driver:old/node_modules/mongodb --until-clear',
  ],
  size: [
    'mongo-perf size quickstart --p99 20',
    "mongo-perf size quickstart --holds 'findOne.responseP95Ms < 5'",
    'mongo-perf size spec.json --p99 20 --uri mongodb://localhost:27017',
  ],
  history: ['mongo-perf history', 'mongo-perf history quickstart --out history', 'mongo-perf history --format json'],
  init: [
    'mongo-perf init my-spec.json',
    'mongo-perf init --from shop.orders --uri mongodb://localhost:27017',
    'mongo-perf init --from-recording shop.mprec',
  ],
  record: [
    'mongo-perf record --to mongodb://localhost:27017 --out shop.mprec',
    'mongo-perf record --from-profile shop --out shop.mprec',
  ],
  inspect: ['mongo-perf inspect shop.mprec', 'mongo-perf inspect shop.mprec --html traffic.html'],
  advise: [
    'mongo-perf advise shop.mprec --data dump/',
    `mongo-perf advise shop.orders --query '{"customer":17}' --sort '{"at":-1}' --allow-index shop.orders`,
    'mongo-perf advise --from-profile shop --uri mongodb://localhost:27017 --data dump/',
  ],
  replay: ['mongo-perf replay shop.mprec --data dump/', 'mongo-perf replay shop.mprec --data dump/ --speed 2'],
}
