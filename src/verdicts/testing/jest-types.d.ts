// What is used of Jest, which is installed in fixtures/example-app alone. Not a part of the package: there, they are Jest's own.
declare module '@jest/globals' {
  export const expect: { readonly extend: (matchers: object) => void }
}

declare module 'expect' {
  export interface Matchers<R extends void | Promise<void>, T = unknown> {}
}
