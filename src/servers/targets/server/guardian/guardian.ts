// Runs as a process of its own, one per run, and outlives it; see supervisor.ts. Arguments: state folder, its id in the records of servers.
const [stateFolder, id] = process.argv.slice(2)
if (stateFolder === undefined || id === undefined) throw new Error('The guardian needs a state folder and its id')

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)

// Our run starts no server before this word, unless it is gone already.
process.stdout.on('error', () => undefined)
process.stdout.write('on guard\n')

// Only now, so that the run does not wait until all of it is loaded.
const { cleanLeftovers } = await import('./state.ts')

// The URI of a server that the run changes: a secret, which is neither an argument nor in a file.
let uri = ''
process.stdin.setEncoding('utf8').on('data', (text: string) => (uri += text))

// The pipe closes when its other end is gone, however that came about: a clean end, a crash, kill -9.
process.stdin.on('error', () => undefined)
process.stdin.on('close', () => {
  void cleanLeftovers(stateFolder, ({ guardian }) => guardian === id).catch(() => undefined)
  if (uri !== '') void takeChangesBack()
})

/** Sides of a comparison whose process is killed still send calls for as long. */
const untilSidesEndMs = 3000

async function takeChangesBack(): Promise<void> {
  const [{ systemClock }, { listChanges, takeBack }] = await Promise.all([
    import('../../../../core/clock.ts'),
    import('./changed-servers.ts'),
  ])
  for (const change of listChanges(stateFolder ?? '').filter(({ guardian }) => guardian === id)) {
    if (change.name === undefined) await systemClock.sleep(untilSidesEndMs)
    await takeBack(stateFolder ?? '', change, uri).catch(() => undefined)
  }
}
