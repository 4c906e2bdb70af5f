import type { Language } from '../language.ts'

export const rust: Language = {
  name: 'rust',
  libraryFrames: /\/rustc\//,
  extensions: ['rs'],
  parser: 'grammar',
  grammar: async () => (await import('./grammar.ts')).rust,
  server: {
    name: 'rust-analyzer',
    extensions: ['rs'],
    install: 'Install rust-analyzer with: rustup component add rust-analyzer',
    launch: { env: { CARGO_NET_OFFLINE: 'true', CARGO_TARGET_DIR: '/tmp/target' } },
    settings: { 'rust-analyzer': { checkOnSave: false } },
  },
  documentation: { 'Cargo.toml': ['rust'] },
  calledImplicitly:
    /^(add|sub|mul|div|rem|neg|not|bitand|bitor|bitxor|shl|shr|\w+_assign|index|index_mut|deref|deref_mut|drop|eq|ne|lt|le|gt|ge|cmp|partial_cmp|fmt|next|into_iter|from|into|call|call_mut|call_once|poll|into_future)$/,
  needsReceivers: true,
  passesOnImports: true,
  importsBeside: true,
  importsPackages: true,
  traitsAsk: true,
  packageOf: (folders, stem) =>
    (/^(mod|lib|main)$/.test(stem) ? folders : [...folders, stem]).filter(each => each !== 'src').join('.'),
  reserved:
    'as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type unsafe use where while',
  testsBesideCode: true,
  valuesAreConstant: true,
  indentation: '    ',
}
