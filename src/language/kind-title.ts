/** The title of the schema of a kind, which is the name of its TypeScript type: "findOne" of "Operation" is "FindOneOperation". */
export const kindTitle = (kind: string, of: string): string => `${kind.charAt(0).toUpperCase()}${kind.slice(1)}${of}`
