import { type ResolvedServerOptions } from './server-options.ts'

/** The parameter that says how many milliseconds lie between two looks of a server at itself: 1000 by default, and 100 or more. */
export const lookPeriod = 'diagnosticDataCollectionPeriodMillis'

/** What a `mongod` is in a sharded cluster, by the flag that makes it that. */
export type ClusterRole = 'configsvr' | 'shardsvr'

/** The port, paths and role that a `mongod` starts with. */
export type MongodLocation = {
  readonly port: number
  readonly data: string
  readonly log: string
  /** Name of the set that it will be a member of. */
  readonly replicaSet: string | undefined
  /** Undefined: it is in no sharded cluster. */
  readonly clusterRole: ClusterRole | undefined
  readonly platform: NodeJS.Platform
}

/** What a `mongod` is started with. Pure, so that the recorded command is the one that ran. */
export function mongodArguments(options: ResolvedServerOptions, location: MongodLocation): string[] {
  const { port, data, log, replicaSet, clusterRole, platform } = location
  return [
    '--bind_ip=127.0.0.1',
    `--port=${port}`,
    `--dbpath=${data}`,
    `--logpath=${log}`,
    '--logappend',
    `--wiredTigerCacheSizeGB=${options.cacheGB}`,
    ...(options.scripting ? [] : ['--noscripting']),
    // Sockets in the temporary folder would be left behind by a kill.
    ...(platform === 'win32' ? [] : ['--nounixsocket']),
    ...(clusterRole === undefined ? [] : [`--${clusterRole}`]),
    ...(replicaSet === undefined ? [] : [`--replSet=${replicaSet}`, `--oplogSize=${options.oplogMB}`]),
    ...(options.directoryPerDb ? ['--directoryperdb'] : []),
    ...(options.syncPeriodSecs === undefined ? [] : [`--syncdelay=${options.syncPeriodSecs}`]),
    ...(options.journalCommitIntervalMs === undefined
      ? []
      : [`--journalCommitInterval=${options.journalCommitIntervalMs}`]),
    ...(options.directIO ? ['--wiredTigerEngineConfigString=direct_io=[data]'] : []),
    ...Object.entries(options.setParameters).map(([name, value]) => `--setParameter=${name}=${value}`),
  ]
}
