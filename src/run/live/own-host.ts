/** The address at which browsers of this machine reach a server of this process. */
export const ownHost = '127.0.0.1'

const httpPort = 80

/** Whether the header `Host` of a request names such a server. Browsers leave out the port of `http`, which is 80. */
export const isOwnHost = (given: string | undefined, port: number): boolean =>
  [ownHost, 'localhost'].some((name) => given === `${name}:${port}` || (port === httpPort && given === name))
