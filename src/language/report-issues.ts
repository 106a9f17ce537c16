import { type Path } from '../core/json.ts'
import { didYouMean } from '../core/nearest.ts'

/** An issue of the report part of a spec. */
export type ReportIssue = {
  /** Path in the report part. */
  readonly path: Path
  readonly reason: string
  /** The most similar valid value. */
  readonly nearest: string | null
}

/** A list with one issue. */
export const issue = (path: Path, reason: string, meant: string | null = null): readonly ReportIssue[] => [
  { path, reason, nearest: meant },
]

/** The reason of an issue, with a suggestion. */
export const issueText = ({ reason, nearest }: Pick<ReportIssue, 'reason' | 'nearest'>): string =>
  `${reason}${didYouMean(nearest)}`
