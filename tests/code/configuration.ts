/** The configuration of a project of TypeScript as most are. */
export const configuration = (more: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({
    compilerOptions: {
      strict: true,
      module: 'esnext',
      moduleResolution: 'bundler',
      target: 'esnext',
      jsx: 'preserve',
      ...more,
      noEmit: true,
      types: [],
    },
    include: ['src'],
  })
