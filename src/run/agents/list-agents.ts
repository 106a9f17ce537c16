import { agentIds, announcementKey } from './keys.ts'
import { announcement, type Announcement } from './messages.ts'

/** The commands of Redis that listing agents needs. */
export type ListClient = {
  readonly smembers: (key: string) => Promise<string[]>
  readonly mget: (keys: string[]) => Promise<(string | null)[]>
  readonly srem: (key: string, members: string[]) => Promise<number>
}

/** The agents that are there, by name. Those that are gone are taken off the list. */
export async function listAgents(client: ListClient): Promise<readonly Announcement[]> {
  const ids = await client.smembers(agentIds)
  if (ids.length === 0) return []
  const texts = await client.mget(ids.map(announcementKey))
  const gone = ids.filter((_, i) => texts[i] === null)
  if (gone.length > 0) await client.srem(agentIds, gone)
  return texts
    .flatMap((text) => (text == null ? [] : (parseAnnouncement(text) ?? [])))
    .filter(({ isStopped }) => !isStopped)
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en') || one.id.localeCompare(other.id, 'en'))
}

/** Parses an announcement. One without a name is no agent. */
export function parseAnnouncement(text: string): Announcement | undefined {
  try {
    return announcement.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
