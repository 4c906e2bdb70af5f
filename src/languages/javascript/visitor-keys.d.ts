/** The package has no types for its parts. */
declare module 'oxc-parser/src-js/generated/visit/keys' {
  const visitorKeys: Readonly<Record<string, readonly string[]>>
  export default visitorKeys
}
