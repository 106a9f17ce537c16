import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  LinearScale,
  LineController,
  LineElement,
  LogarithmicScale,
  PointElement,
  ScatterController,
  Tooltip,
} from 'chart.js'
import { setUpCharts } from './chart-view.ts'
import { setUpExploring } from './explore.ts'
import { makeFilterable } from './filter-table.ts'
import { followRun } from './live.ts'
import { makeSortable } from './sort-table.ts'
import { setUpTheme } from './theme.ts'

Chart.register(
  BarController,
  BarElement,
  CategoryScale,
  LinearScale,
  LineController,
  LineElement,
  LogarithmicScale,
  PointElement,
  ScatterController,
  Tooltip,
)

/** Adds to a page, or to a part of it that was replaced, what needs a script. */
async function enhance(root: ParentNode): Promise<void> {
  for (const table of root.querySelectorAll('table')) {
    makeSortable(table)
    makeFilterable(table)
  }
  setUpCharts(root)
  await setUpExploring(root)
}

const tools = document.querySelector('[data-tools]')
if (tools !== null) setUpTheme(tools)
void enhance(document)
const live = document.querySelector<HTMLElement>('[data-live]')
if (live !== null) followRun(live, enhance)
