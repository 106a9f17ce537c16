/** A number with the digits that can be seen in a drawing. */
export const rounded = (value: number): number => Number(value.toPrecision(4))
