// What `require` gets. Node's own loader takes ES modules, also where a test runner has a loader that does not, as Jest.
const { join } = require('node:path')
const { _load } = require('node:module')

const testing = _load(join(__dirname, 'testing.js'), null, false)
// The driver that a test has loaded is known to its loader alone.
testing.searchModules(require.cache)
module.exports = testing
