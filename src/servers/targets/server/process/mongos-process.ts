import { makeLogFolder, type ProcessFolders } from './server-folders.ts'
import { createLossWatch } from './server-loss.ts'
import {
  type ProcessContext,
  type ProcessRequest,
  type RunningServer,
  endProcess,
  startProcess,
} from './server-process.ts'

export type MongosRequest = MongosOptions & { readonly name: string; readonly binary: string }

/** Starts one `mongos` on a free loopback port and resolves when it answers: when the config servers have answered it. */
export async function startMongos(request: MongosRequest, context: ProcessContext): Promise<RunningServer> {
  const { name } = request
  await context.supervisor.guard()
  const folders = await makeLogFolder(name, 'mongos', context.tempFolder)
  try {
    const program = createMongosRequest(request, folders)
    const launched = await startProcess(program, folders, [], context)
    const { record, port, command } = launched
    let stopping: Promise<void> | undefined
    const loss = createLossWatch(program, folders)
    loss.watch(launched, () => stopping !== undefined)
    return {
      name,
      port,
      host: `127.0.0.1:${port}`,
      commands: [...folders.commands, command],
      stop: () => (stopping ??= endProcess(record, folders, context)),
      lost: loss.lost,
    }
  } catch (error) {
    await folders.remove()
    throw error
  }
}

const createMongosRequest = ({ name, binary, ...options }: MongosRequest, { log }: ProcessFolders): ProcessRequest => ({
  program: 'mongos',
  name,
  binary,
  argumentsOn: (port) => mongosArguments(options, { port, log, platform: process.platform }),
  hint: () => 'A mongos has to be of the release series of its cluster: name another with "router" in the target.',
})

type MongosOptions = {
  /** The set of the config servers, with hosts of it: "config/127.0.0.1:27019". */
  readonly configServers: string
  /** Whether it runs JavaScript that it is sent. */
  readonly scripting: boolean
}

type MongosLocation = { readonly port: number; readonly log: string; readonly platform: NodeJS.Platform }

/** Returns the arguments of a `mongos`. Pure, so that the recorded command is the one that ran. */
export function mongosArguments(
  { configServers, scripting }: MongosOptions,
  { port, log, platform }: MongosLocation,
): string[] {
  return [
    '--bind_ip=127.0.0.1',
    `--port=${port}`,
    `--configdb=${configServers}`,
    `--logpath=${log}`,
    '--logappend',
    ...(scripting ? [] : ['--noscripting']),
    ...(platform === 'win32' ? [] : ['--nounixsocket']),
  ]
}
