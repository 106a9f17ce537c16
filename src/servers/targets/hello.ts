import { type Document } from 'mongodb'

/** The deployment of a server, as its `hello` reports it. */
export type Hello = {
  /** "isdbgrid": it is a router. */
  readonly msg?: string
  readonly setName?: string
  readonly hosts: readonly string[]
  readonly passives: readonly string[]
  readonly arbiters: readonly string[]
}

/** Reads a reply to `hello`, in whatever form: other servers send null for an empty list, or leave it out. */
export function readHello({ msg, setName, hosts, passives, arbiters }: Document): Hello {
  return {
    ...(typeof msg === 'string' && { msg }),
    ...(typeof setName === 'string' && { setName }),
    hosts: textsIn(hosts),
    passives: textsIn(passives),
    arbiters: textsIn(arbiters),
  }
}

const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
