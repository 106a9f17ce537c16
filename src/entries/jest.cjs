// What `require` gets: see testing.cjs. `expect` is that of the test, which Node's own loader would not find.
const { expect } = require('@jest/globals')
const testing = require('./testing.cjs')

expect.extend(testing.matchers)
module.exports = testing
