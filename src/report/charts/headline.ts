import { type Picture } from './picture.ts'

/** The title of a chart with the figure that matters. */
export const headlineOf = ({ title }: Picture): string => title
