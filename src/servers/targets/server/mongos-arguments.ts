/** The options that a `mongos` starts with. */
export type MongosOptions = {
  /** The set of the config servers, with hosts of it: "config/127.0.0.1:27019". */
  readonly configServers: string
  /** Whether it runs JavaScript that it is sent. */
  readonly scripting: boolean
}

/** The port, log path and platform that a `mongos` starts with. */
export type MongosPlace = { readonly port: number; readonly log: string; readonly platform: NodeJS.Platform }

/** What a `mongos` is started with. Pure, so that the recorded command is the one that ran. */
export function mongosArguments(
  { configServers, scripting }: MongosOptions,
  { port, log, platform }: MongosPlace,
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
