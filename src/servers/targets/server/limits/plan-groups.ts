import { Problem } from '../../../../core/errors.ts'
import { diskUnder } from './disk.ts'
import { type Hierarchies, readHierarchies } from './hierarchies.ts'
import { type Resource, resourcesOf, type ServerLimits, unlimited } from './server-limits.ts'
import { type GroupPlan } from './settings.ts'
import { controllerV1, obstacleV1, planV1 } from './v1.ts'
import { findParentV2, planV2 } from './v2.ts'

/**
 * The groups that hold a server to its limits: one for each controller of version 1, one for all others.
 * @param folders Where the server keeps its files: the disks under them are what is limited.
 * @param root Where the file system of the machine begins.
 * @param resources What there are groups for, by default what is limited. For groups that are there already, all that the
 * server was started with: with fewer, others may be found for it.
 * @throws {Problem} "not-measurable-here" with the reason.
 */
export async function planGroups(
  limits: ServerLimits | null,
  folders: readonly string[],
  root: string,
  resources: readonly Resource[] = resourcesOf(limits),
): Promise<readonly GroupPlan[]> {
  if (resources.length === 0) return []
  const hierarchies = await readHierarchies(root)
  if (hierarchies.v1.size === 0 && hierarchies.v2 === undefined)
    throw notHere('this system has no control groups, which Linux has')
  const disks = resources.includes('io') ? await disksUnder(folders, root) : []
  return oneForEachParent(await planAll(resources, limits ?? unlimited, disks, hierarchies))
}

function notHere(reason: string): Problem {
  return new Problem('not-measurable-here', `The limits of a server cannot be set here: ${reason}`, {
    hint: 'Run as root on Linux with the data on a disk ("dbPath"), or set "required" in "limits" to false to measure without them. `mongo-perf doctor` shows what can be limited.',
  })
}

async function disksUnder(folders: readonly string[], root: string): Promise<readonly string[]> {
  const disks = new Set<string>()
  for (const folder of folders) {
    const answer = await diskUnder(folder, root)
    if ('reason' in answer) throw notHere(answer.reason)
    disks.add(answer.disk)
  }
  return [...disks]
}

async function planAll(
  resources: readonly Resource[],
  limits: ServerLimits,
  disks: readonly string[],
  { v1, v2 }: Hierarchies,
): Promise<readonly GroupPlan[]> {
  const plans: GroupPlan[] = []
  const others: Resource[] = []
  for (const resource of resources) {
    const hierarchy = v1.get(controllerV1[resource])
    if (hierarchy === undefined) {
      others.push(resource)
      continue
    }
    const obstacle = await obstacleV1(hierarchy)
    if (obstacle !== null) throw notHere(obstacle)
    plans.push(planV1(resource, hierarchy, limits, disks))
  }
  if (others.length === 0) return plans
  const parent = v2 && (await findParentV2(v2, others))
  if (parent === undefined) {
    const names = others.join(', ')
    throw notHere(`no control group that may be written has the controllers ${names} switched on for its children`)
  }
  return [...plans, planV2(others, parent, limits, disks)]
}

/** Controllers of version 1 may share a tree. */
function oneForEachParent(plans: readonly GroupPlan[]): readonly GroupPlan[] {
  const parents = [...new Set(plans.map(({ parent }) => parent))]
  return parents.map((parent) => ({
    parent,
    settings: plans.filter((plan) => plan.parent === parent).flatMap(({ settings }) => settings),
  }))
}
