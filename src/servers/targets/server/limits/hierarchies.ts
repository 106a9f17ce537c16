import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { readProcFile } from '../../../system.ts'

/** A tree of control groups, and our place in it. */
export type Hierarchy = {
  readonly mountPoint: string
  /** Folder of the group that this process is in. */
  readonly folder: string
  readonly readOnly: boolean
}

/** The mounted control group hierarchies of this machine, versions 1 and 2. */
export type Hierarchies = {
  /** Folders by the name of a controller. Those of one tree share it. */
  readonly v1: ReadonlyMap<string, Hierarchy>
  readonly v2: Hierarchy | undefined
}

/** A line of /proc/self/mountinfo. */
export type Mount = {
  /** "8:1" */
  readonly device: string
  /** Part of the file system that is mounted here. */
  readonly root: string
  readonly mountPoint: string
  readonly fileSystem: string
  readonly options: readonly string[]
}

/** @param root Where the file system of the machine begins: "/", and in tests a tree that stands for one. */
export async function readMounts(root: string): Promise<readonly Mount[]> {
  const text = await readProcFile('self/mountinfo', root)
  return text.split('\n').flatMap((line) => {
    const [front = '', back = ''] = line.split(' - ')
    const [, , device = '', mounted = '', mountPoint = '', options = ''] = front.split(' ')
    const [fileSystem = '', , ofFileSystem = ''] = back.split(' ')
    if (fileSystem === '') return []
    const mount = { device, root: withoutEscapes(mounted), mountPoint: withoutEscapes(mountPoint), fileSystem }
    return [{ ...mount, options: [...options.split(','), ...ofFileSystem.split(',')] }]
  })
}

/** The kind of the file system that a folder lies on, as "xfs". Undefined where the system is not Linux. */
export async function findFileSystem(folder: string, root: string): Promise<string | undefined> {
  const real = await realpath(folder).catch(() => folder)
  const around = (await readMounts(root)).filter(({ mountPoint }) =>
    `${real}/`.startsWith(mountPoint.replace(/\/?$/, '/')),
  )
  // Of two on the same point, the later one hides the other.
  return around.toSorted((one, other) => one.mountPoint.length - other.mountPoint.length).at(-1)?.fileSystem
}

/** Spaces and the like are written as octal numbers. */
const withoutEscapes = (text: string): string =>
  text.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))

/** The control groups of this machine; none at all where the system is not Linux. */
export async function readHierarchies(root: string): Promise<Hierarchies> {
  const mounts = await readMounts(root)
  const own = await readProcFile('self/cgroup', root)
  const v1 = new Map<string, Hierarchy>()
  let v2: Hierarchy | undefined
  for (const line of own.split('\n')) {
    const found = /^\d+:([^:]*):(.*)$/.exec(line)
    if (found === null) continue
    const [, names = '', group = ''] = found
    const controllers = names.split(',')
    const mount = mounts.find(names === '' ? isV2 : isV1With(controllers))
    if (mount === undefined) continue
    const hierarchy = placeIn(mount, group, root)
    if (names === '') v2 = hierarchy
    else for (const name of controllers) v1.set(name, hierarchy)
  }
  return { v1, v2 }
}

const isV2 = ({ fileSystem }: Mount): boolean => fileSystem === 'cgroup2'

const isV1With =
  (controllers: readonly string[]) =>
  ({ fileSystem, options }: Mount): boolean =>
    fileSystem === 'cgroup' && controllers.every((name) => options.includes(name))

/**
 * A recorded command makes its groups at the top of their tree: the group that this process is in may be named after a
 * session, and means nothing to whoever repeats it.
 */
export async function withoutOwnGroups(lines: readonly string[], root: string): Promise<readonly string[]> {
  const { v1, v2 } = await readHierarchies(root)
  const nested = [...v1.values(), ...(v2 === undefined ? [] : [v2])].filter(
    (place) => place.folder !== place.mountPoint,
  )
  return lines.map((line) =>
    nested.reduce((text, { folder, mountPoint }) => text.replaceAll(`${folder}/`, `${mountPoint}/`), line),
  )
}

function placeIn({ mountPoint, root: mounted, options }: Mount, group: string, root: string): Hierarchy {
  const top = path.join(root, mountPoint)
  return { mountPoint: top, folder: path.join(top, inside(mounted, group)), readOnly: options.includes('ro') }
}

/** In a container a part of the tree may be mounted, and our group may lie outside of it: then its top stands for our group. */
function inside(mounted: string, group: string): string {
  const relative = path.posix.relative(mounted, group)
  return relative.startsWith('..') ? '' : relative
}
