import os from 'node:os'

type Cpus = readonly Pick<os.CpuInfo, 'model'>[]

/** The class of a machine: the variable MONGO_PERF_MACHINE, else its processor, cores and system, such as "amd-epyc-7b13-2-cores-linux". */
export function machineClass(
  { MONGO_PERF_MACHINE: given }: Readonly<Record<string, string | undefined>>,
  cpus: Cpus = os.cpus(),
  cores: number = os.availableParallelism(),
): string {
  if (given !== undefined) return given
  const [{ model } = { model: '' }] = cpus
  const processor = model.replaceAll(/\((r|tm)\)|\bcpu\b|\bprocessor\b|\d+-core\b|@.*$/gi, '')
  const parts = [processor, cores, cores === 1 ? 'core' : 'cores', os.platform()]
  return parts
    .join(' ')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}
