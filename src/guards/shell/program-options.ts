import type { Options } from './options.ts'

const FREE = { free: true } as const
const HASH: Options = {
  flags: 'bctwz',
  long: 'binary check quiet status strict tag text warn zero ignore-missing',
  operands: 'files',
  ...FREE,
}
const HEAD = { flags: 'qvz', values: 'cn', shapes: /^-\d+$/, operands: 'files', ...FREE } as const

/**
 * Well-known programs with the options that neither run another program nor write a file. An allow rule for one of them covers these;
 * with any other option the command is asked for, unless the rule spells the option.
 */
export const PROGRAM_OPTIONS: ReadonlyMap<string, Options> = new Map<string, Options>([
  [
    'ls',
    {
      flags: 'aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxXZ1',
      values: 'ITw',
      operands: 'files',
      ...FREE,
      long: `all almost-all author block-size= classify? color? dereference directory dired escape file-type format= full-time
      group-directories-first hide= human-readable hyperlink? ignore= ignore-backups indicator-style= inode literal no-group
      numeric-uid-gid quote-name quoting-style= recursive reverse show-control-chars si size sort= tabsize= time= time-style= width= zero`,
    },
  ],
  [
    'cat',
    {
      flags: 'AbeEnstTuv',
      long: 'number number-nonblank show-all show-ends show-nonprinting show-tabs squeeze-blank',
      operands: 'files',
      ...FREE,
    },
  ],
  ['tac', { flags: 'br', values: 's', operands: 'files', ...FREE }],
  ['nl', { flags: 'p', values: 'bdfhilnsvw', operands: 'files', ...FREE }],
  ['rev', { operands: 'files', ...FREE }],
  ['head', { ...HEAD, long: 'lines= bytes= quiet silent verbose zero-terminated' }],
  [
    'tail',
    {
      ...HEAD,
      flags: 'fFqvz',
      values: 'cns',
      shapes: /^-\d+f?$/,
      long: 'lines= bytes= follow? retry quiet silent verbose sleep-interval= zero-terminated',
    },
  ],
  ['wc', { flags: 'cmlLw', long: 'bytes chars lines words max-line-length total=', operands: 'files', ...FREE }],
  ['echo', { operands: 'anything' }],
  ['true', { operands: 'anything' }],
  ['false', { operands: 'anything' }],
  [':', { operands: 'anything' }],
  ['pwd', { flags: 'LP', operands: 'none' }],
  ['whoami', { operands: 'none' }],
  ['id', { flags: 'agGnruz', operands: 'any' }],
  ['groups', { operands: 'any' }],
  ['nproc', { long: 'all ignore=', operands: 'none' }],
  ['uname', { flags: 'asnrvmpio', long: 'all kernel-name machine operating-system', operands: 'none' }],
  ['uptime', { flags: 'ps', long: 'pretty since', operands: 'none' }],
  ['sleep', { operands: 'any' }],
  ['seq', { flags: 'w', values: 'fs', long: 'format= separator= equal-width', operands: 'any', shapes: /^-[\d.]+$/ }],
  ['basename', { flags: 'az', values: 's', operands: 'any', ...FREE }],
  ['dirname', { flags: 'z', operands: 'any', ...FREE }],
  ['realpath', { flags: 'eLmPqsz', operands: 'files', ...FREE }],
  ['readlink', { flags: 'efmnqsvz', operands: 'files', ...FREE }],
  ['which', { flags: 'as', long: 'all', operands: 'any' }],
  ['type', { flags: 'aftpP', operands: 'any' }],
  [
    'stat',
    {
      flags: 'Lft',
      values: 'c',
      long: 'format= printf= dereference file-system terse cached=',
      operands: 'files',
      ...FREE,
    },
  ],
  [
    'du',
    {
      flags: '0abcDhHkLlmPsSx',
      values: 'Bdt',
      long: 'all apparent-size block-size= bytes total dereference max-depth= human-readable summarize separate-dirs one-file-system exclude= time? threshold= si',
      operands: 'files',
      ...FREE,
    },
  ],
  [
    'df',
    {
      flags: 'ahHiklPTv',
      values: 'Btx',
      long: 'all human-readable inodes local total type= print-type output? si',
      operands: 'files',
    },
  ],
  [
    'file',
    {
      flags: 'bchiklLNnprsv0EI',
      values: 'Fe',
      operands: 'files',
      long: 'brief mime mime-type mime-encoding extension apple keep-going dereference no-dereference no-pad raw separator= print0 version',
    },
  ],
  [
    'tree',
    {
      flags: 'adfiqlxspughDFtcUrvANQSnCJXj',
      values: 'LPITH',
      operands: 'files',
      shapes: /^-L\d+$/,
      long: `noreport filelimit= dirsfirst filesfirst sort= prune du si matchdirs ignore-case inodes device timefmt= charset= gitignore
      nolinks hintro= metafirst compress= version`,
    },
  ],
  [
    'uniq',
    {
      flags: 'cdDiuz',
      values: 'fsw',
      long: 'count repeated all-repeated? group? skip-fields= skip-chars= ignore-case unique check-chars= zero-terminated',
      operands: 'files',
      most: 1,
      ...FREE,
    },
  ],
  [
    'cut',
    {
      flags: 'nsz',
      values: 'bcdf',
      long: 'bytes= characters= delimiter= fields= only-delimited output-delimiter= complement zero-terminated',
      operands: 'files',
      ...FREE,
    },
  ],
  ['tr', { flags: 'cCdst', long: 'complement delete squeeze-repeats truncate-set1', operands: 'any', ...FREE }],
  ['paste', { flags: 'sz', values: 'd', long: 'delimiters= serial', operands: 'files', ...FREE }],
  ['comm', { flags: '123z', long: 'check-order nocheck-order output-delimiter= total', operands: 'files', ...FREE }],
  ['join', { flags: 'iz', values: 'aeotvj12', operands: 'files' }],
  ['fold', { flags: 'bs', values: 'w', operands: 'files', ...FREE }],
  ['fmt', { flags: 'cstu', values: 'wpg', operands: 'files' }],
  [
    'column',
    { flags: 'txneLR', values: 'sNoclHTW', long: 'table separator= output-separator= json', operands: 'files' },
  ],
  ['expand', { flags: 'i', values: 't', operands: 'files', ...FREE }],
  ['base64', { flags: 'di', values: 'w', long: 'decode ignore-garbage wrap=', operands: 'files', most: 1 }],
  ['md5sum', HASH],
  ['sha1sum', HASH],
  ['sha256sum', HASH],
  ['sha512sum', HASH],
  ['cksum', { operands: 'files', long: 'algorithm=', values: 'a' }],
  ['cmp', { flags: 'bls', values: 'in', long: 'print-bytes silent quiet verbose bytes=', operands: 'files' }],
  ['strings', { flags: 'afw', values: 'netd', long: 'all bytes= radix= encoding=', operands: 'files' }],
  ['hexdump', { flags: 'bcCdovx', values: 'nse', operands: 'files' }],
  ['od', { flags: 'abcdfilosvx', values: 'AjNStw', operands: 'files' }],
  [
    'diff',
    {
      flags: 'abBcdeEinNpPqrstTuvwyZ',
      values: 'CFILUWx',
      operands: 'files',
      long: `normal brief report-identical-files context? unified? ed rcs side-by-side width= left-column suppress-common-lines
      show-c-function show-function-line= label= expand-tabs initial-tab suppress-blank-empty recursive no-dereference new-file
      unidirectional-new-file ignore-file-name-case exclude= starting-file= ignore-case ignore-tab-expansion ignore-trailing-space
      ignore-space-change ignore-all-space ignore-blank-lines ignore-matching-lines= text strip-trailing-cr minimal horizon-lines=
      speed-large-files color? palette=`,
    },
  ],
  [
    'grep',
    {
      flags: 'EFGPiyvwxcLloqsbHhnTZaIrRUz',
      values: 'emABCdD',
      files: 'f',
      operands: 'text-then-files',
      shapes: /^-\d+$/,
      ...FREE,
      textBy: /^(-[a-zA-Z]*[ef]|--(regexp|file)(=|$))/,
      long: `extended-regexp fixed-strings basic-regexp perl-regexp ignore-case no-ignore-case invert-match word-regexp line-regexp count
      color? colour? files-without-match files-with-matches max-count= only-matching quiet silent no-messages byte-offset
      with-filename no-filename label= line-number initial-tab null after-context= before-context= context= text binary-files=
      devices= directories= exclude= exclude-dir= exclude-from@ include= recursive dereference-recursive line-buffered binary
      null-data regexp= file@`,
    },
  ],
  [
    'rg',
    {
      flags: 'aFhHiILlNnoPpqsSUuVvwx0bc.',
      values: 'ABCEegjMmrtTd',
      files: 'f',
      operands: 'text-then-files',
      textBy: /^(-[a-zA-Z]*[ef]|--(regexp|file|files|type-list)(=|$))/,
      long: `after-context= before-context= context= auto-hybrid-regex binary block-buffered byte-offset case-sensitive color= colors=
      column context-separator= count count-matches crlf debug dfa-size-limit= encoding= engine= field-context-separator=
      field-match-separator= file@ files files-with-matches files-without-match fixed-strings follow glob= glob-case-insensitive
      heading hidden iglob= ignore-case ignore-file@ ignore-file-case-insensitive include-zero invert-match json line-buffered
      line-number line-regexp max-columns= max-columns-preview max-count= max-depth= max-filesize= mmap multiline multiline-dotall
      no-config no-filename no-heading no-hidden no-ignore no-ignore-dot no-ignore-exclude no-ignore-files no-ignore-global
      no-ignore-messages no-ignore-parent no-ignore-vcs no-line-number no-messages no-mmap no-require-git null null-data
      one-file-system only-matching passthru path-separator= pcre2 pretty quiet regex-size-limit= regexp= replace= smart-case sort=
      sortr= stats stop-on-nonmatch text threads= trim type= type-not= type-list unrestricted version vimgrep with-filename
      word-regexp no-column`,
    },
  ],
  [
    'sort',
    {
      flags: 'bcCdfghiMmnrRsuVz',
      values: 'kSt',
      operands: 'files',
      long: `ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting month-sort human-numeric-sort
      numeric-sort random-sort reverse sort= version-sort check? debug key= merge stable buffer-size= field-separator= parallel=
      unique zero-terminated`,
    },
  ],
])
