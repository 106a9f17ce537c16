/** Version of the format, raised when an older reader would misunderstand a newer file. Files of other versions are refused. */
export const resultVersion = 3
