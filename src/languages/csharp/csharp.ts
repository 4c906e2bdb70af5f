import type { Language } from '../language.ts'

export const csharp: Language = {
  name: 'csharp',
  libraryFrames: /^(?:System|Microsoft)\b/,
  title: 'C#',
  extensions: ['cs'],
  parser: 'grammar',
  grammar: async () => (await import('./grammar.ts')).csharp,
  hasOverloads: true,
  hasExtensions: true,
  calledImplicitly:
    /^(ToString|Equals|GetHashCode|GetEnumerator|GetAsyncEnumerator|MoveNext|MoveNextAsync|Dispose|DisposeAsync|Deconstruct|GetAwaiter|GetPinnableReference|Slice|Finalize)$|\W/,
  conversions: /^(character number|number character)$/,
  reopens: 'partial',
  extensionsSeeNoMembers: true,
  isOpenToBases: ({ isStatic, exported, signature }, { isMade }) =>
    !isStatic && !isMade && (exported || /\.\s*\w+\s*[<(]/.test(signature)),
  libraryTypes: {
    IComparable: /^CompareTo$/,
    IEquatable: /^Equals$/,
    IDisposable: /^Dispose$/,
    IAsyncDisposable: /^DisposeAsync$/,
    IComparer: /^Compare$/,
    // A collection initializer calls `Add`.
    IEnumerable: /^(GetEnumerator|Add)$/,
    ICloneable: /^Clone$/,
  },
  indentation: '    ',
}
