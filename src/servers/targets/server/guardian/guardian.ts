// Runs as a process of its own, one per run, and outlives it; see supervisor.ts. Arguments: state folder, its id in the records of servers.
const [stateFolder, id] = process.argv.slice(2)
if (stateFolder === undefined || id === undefined) throw new Error('The guardian needs a state folder and its id')

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)

// Our run starts no server before this word, unless it is gone already.
process.stdout.on('error', () => undefined)
process.stdout.write('on guard\n')

// Only now, so that the run does not wait until all of it is loaded.
const { cleanLeftovers } = await import('./state.ts')

// The pipe closes when its other end is gone, however that came about: a clean end, a crash, kill -9.
process.stdin.resume()
process.stdin.on('error', () => undefined)
process.stdin.on('close', () => {
  void cleanLeftovers(stateFolder, ({ guardian }) => guardian === id)
})
