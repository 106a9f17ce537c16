import { imageFile, type ReportChart } from '../charts/report-chart.ts'
import { escapeAttribute } from './escape.ts'

/**
 * The image of a chart in the colours that its reader prefers.
 * @param folder Where the images are, as a link has it: empty, or ending in a slash.
 */
export function chartImage({ alt, file }: Pick<ReportChart, 'alt' | 'file'>, folder: string): string {
  const [light, dark] = (['light', 'dark'] as const).map((theme) => escapeAttribute(folder + imageFile(file, theme)))
  return `<picture><source media="(prefers-color-scheme: dark)" srcset="${dark}"><img alt="${escapeAttribute(alt)}" src="${light}"></picture>`
}
