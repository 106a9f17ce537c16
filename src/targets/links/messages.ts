import { type LinkedPair } from './delays.ts'
import { type End } from './pairs.ts'

/** What the proxies of a set are started with. */
export type ProxyPlan = {
  readonly seed: number
  /** Where the file system begins in which processes are looked up. */
  readonly root: string
  readonly members: readonly { readonly pid: number; readonly port: number }[]
  readonly links: readonly LinkedPair[]
}

/** Open: all passes. Cut: connections end, and new ones end at once. Stalled: nothing arrives until it is open again; nothing is lost. */
export type LinkState = 'open' | 'cut' | 'stalled'

/** What the process of the proxies is told. */
export type SetLink = { readonly one: End; readonly other: End; readonly state: LinkState }

/** Ports of the loopback interface. */
export type ProxyPorts = {
  /** Where each member is found, in their order. */
  readonly members: readonly number[]
  /** For each link one where its second end is found as from its first, whoever knocks: so that a link of two members can be measured. */
  readonly doors: readonly number[]
}

/** What it answers: once when it listens, then once to every message. */
export type ProxyAnswer =
  | { readonly kind: 'listening'; readonly ports: ProxyPorts }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'done' }
