/** Where a server listens. */
export type ServerAddress = { readonly host: string; readonly port: number } | { readonly path: string }

/** @param text "host:port", or the path of a Unix socket. */
export function readAddress(text: string): ServerAddress {
  if (text.startsWith('/')) return { path: text }
  const { hostname, port } = new URL(`mongodb://${text}`)
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port) }
}

/** Returns an address as text: the path of a socket, or "host:port". */
export const addressText = (address: ServerAddress): string =>
  'path' in address ? address.path : `${address.host}:${address.port}`
