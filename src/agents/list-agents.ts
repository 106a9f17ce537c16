import type { Redis } from 'ioredis'
import { agentIds, announcementKey } from './keys.ts'
import { announcement, type Announcement } from './messages.ts'

/** The agents that are there, by name. Those that are gone are taken off the list. */
export async function listAgents(client: Redis): Promise<readonly Announcement[]> {
  const ids = await client.smembers(agentIds)
  if (ids.length === 0) return []
  const texts = await client.mget(ids.map(announcementKey))
  const gone = ids.filter((_, i) => texts[i] === null)
  if (gone.length > 0) await client.srem(agentIds, gone)
  return texts
    .flatMap((text) => (text == null ? [] : (announcementOf(text) ?? [])))
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en') || one.id.localeCompare(other.id, 'en'))
}

/** What other versions announce in a form that is not ours is no agent for us. */
function announcementOf(text: string): Announcement | undefined {
  try {
    return announcement.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
