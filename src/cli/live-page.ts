import { type LivePage } from '../live/live-page.ts'
import { packResult } from '../results/pack-result.ts'
import { type Result } from '../results/schema.ts'

/** What `--live` shows of a result. */
export const livePage = (result: Result): LivePage => ({
  html: () => plainPage,
  data: () => JSON.stringify(packResult(result)),
})

/** A table of the newest seconds, written as text: labels with markup stay labels. */
const plainPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>mongo-perf</title>
<h1>mongo-perf</h1>
<p role="status">connecting</p>
<table>
<thead><tr><th>Row<th>Phase<th>Second<th>Operations/s<th>p50 (ms)<th>p99 (ms)<th>Errors<th>In flight</thead>
<tbody></tbody>
</table>
<script>
const [status, body] = [document.querySelector('p'), document.querySelector('tbody')]
const source = new EventSource('events')
const on = (kind, take) => source.addEventListener(kind, ({ data }) => take(JSON.parse(data)))
on('specBegins', ({ spec }) => (status.textContent = spec + ': running'))
on('second', ({ row, phase, pass, second, ok, lengthSeconds, latency, failed, unknown, inFlight }) => {
  const line = body.insertRow(0)
  const rate = lengthSeconds > 0 ? Math.round(ok / lengthSeconds) : 0
  const cells = [row.number + '/' + row.of + ' ' + row.label, phase + ' (' + pass + ')', second, rate]
  for (const cell of [...cells, latency?.p50Ms, latency?.p99Ms, failed + unknown, inFlight]) line.insertCell().textContent = cell
  if (body.rows.length > 60) body.deleteRow(60)
})
on('specEnds', ({ status: end }) => (status.textContent = 'The run has ended: ' + end))
on('end', () => source.close())
</script>
</html>
`
