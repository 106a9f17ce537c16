// What `require` gets: see testing.cjs. `expect` is that of the test, which Node's own loader would not find.
const testing = require('./testing.cjs')

let globals
try {
  globals = require('@jest/globals')
} catch (error) {
  testing.refuseWithoutRunner('jest', error)
}

globals.expect.extend(testing.matchers)
const watchQueries = (on, options = {}) => testing.watchQueriesIn(testing.jestTests(globalThis), on, options)
module.exports = { ...testing, watchQueries }
