/** A line of a mongod log, as far as we need it. */
type LogLine = { readonly s?: unknown; readonly msg?: unknown; readonly attr?: Readonly<Record<string, unknown>> }

/** The last complaints in a mongod log, in words; where it has none, the last lines of what it printed. */
export function lastComplaints(log: string, output: string, count = 3): string[] {
  const complaints = log.split('\n').flatMap((line) => {
    const entry = parse(line)
    return entry && (entry.s === 'E' || entry.s === 'F') ? [inWords(entry)] : []
  })
  const found = complaints.length > 0 ? complaints : output.split('\n').filter((line) => line.trim() !== '')
  // Each step of a failed start says the same again.
  return [...new Set(found)].slice(-count)
}

function parse(line: string): LogLine | undefined {
  try {
    const entry: unknown = JSON.parse(line)
    return typeof entry === 'object' && entry !== null ? entry : undefined
  } catch {
    return undefined
  }
}

function inWords({ msg, attr = {} }: LogLine): string {
  const detail = attr['error'] ?? attr['errmsg'] ?? attr['message'] ?? attr['msg'] ?? attr['reason']
  const text = isErrorDocument(detail) ? detail.errmsg : detail
  if (text === undefined) return String(msg)
  return `${String(msg)}: ${typeof text === 'string' ? text : JSON.stringify(text)}`
}

const isErrorDocument = (value: unknown): value is { readonly errmsg: unknown } =>
  typeof value === 'object' && value !== null && 'errmsg' in value
