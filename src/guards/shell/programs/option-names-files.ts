import type { OptionNames } from './program.ts'

/** From the manuals of coreutils, util-linux and similar packages. */
export const FILE_OPTIONS: Readonly<Record<string, OptionNames>> = {
  sed: `-n/--quiet/--silent -e/--expression= -f/--file= -i/--in-place? -l/--line-length= -E/-r/--regexp-extended
    -s/--separate -u/--unbuffered -z/--null-data/--zero-terminated`,
  tar: `-A/--catenate/--concatenate -c/--create -d/--diff/--compare -r/--append -t/--list -u/--update
    -x/--extract/--get -g/--listed-incremental= -G/--incremental -n/--seek -S/--sparse -C/--directory=
    -T/--files-from= -X/--exclude-from= -k/--keep-old-files -U/--unlink-first -W/--verify -O/--to-stdout -m/--touch
    -p/--preserve-permissions/--same-permissions -s/--preserve-order/--same-order -f/--file=
    -F/--info-script/--new-volume-script= -L/--tape-length= -M/--multi-volume -b/--blocking-factor=
    -B/--read-full-records -i/--ignore-zeros -H/--format= --old-archive/--portability -V/--label= -a/--auto-compress
    -I/--use-compress-program= -j/--bzip2 -J/--xz -z/--gzip/--gunzip/--ungzip -Z/--compress/--uncompress
    -h/--dereference -K/--starting-file= -N/--newer/--after-date= -P/--absolute-names --transform/--xform=
    -l/--check-links -R/--block-number --show-transformed-names/--show-stored-names -v/--verbose
    -w/--interactive/--confirmation`,
  sort: `-b/--ignore-leading-blanks -d/--dictionary-order -f/--ignore-case -g/--general-numeric-sort
    -i/--ignore-nonprinting -M/--month-sort -h/--human-numeric-sort -n/--numeric-sort -R/--random-sort -r/--reverse -V/--version-sort
    -c/--check? -k/--key= -m/--merge -o/--output= -s/--stable -S/--buffer-size= -t/--field-separator=
    -T/--temporary-directory= -u/--unique -z/--zero-terminated`,
  ln: `-d/-F/--directory -f/--force -i/--interactive -L/--logical -n/--no-dereference -P/--physical -r/--relative
    -s/--symbolic -S/--suffix= -t/--target-directory= -T/--no-target-directory -v/--verbose`,
  tee: '-a/--append -i/--ignore-interrupts',
  cp: `-a/--archive -f/--force -i/--interactive -l/--link -L/--dereference -n/--no-clobber -P/--no-dereference
    -R/-r/--recursive -s/--symbolic-link -S/--suffix= -t/--target-directory= -T/--no-target-directory -u/--update
    -v/--verbose -x/--one-file-system`,
  mv: `-f/--force -i/--interactive -n/--no-clobber -S/--suffix= -t/--target-directory= -T/--no-target-directory
    -u/--update -v/--verbose -Z/--context`,
  rm: '-f/--force -r/-R/--recursive -d/--dir -v/--verbose',
  chmod: '-c/--changes -f/--silent/--quiet -v/--verbose -R/--recursive',
  'chown chgrp': `-c/--changes -f/--silent/--quiet -v/--verbose -h/--no-dereference -R/--recursive --dereference --from=
    --preserve-root --no-preserve-root --reference= -H -L -P`,
  mkdir: '-m/--mode= -p/--parents -v/--verbose',
  rmdir: '-p/--parents -v/--verbose',
  touch: '-c/--no-create -d/--date= -h/--no-dereference -r/--reference=',
  ls: `-a/--all -A/--almost-all -b/--escape -B/--ignore-backups -d/--directory -D/--dired -F/--classify?
    -G/--no-group -h/--human-readable -H/--dereference-command-line -i/--inode -I/--ignore= -k/--kibibytes
    -L/--dereference -n/--numeric-uid-gid -N/--literal -q/--hide-control-chars -Q/--quote-name
    -r/--reverse -R/--recursive -s/--size -T/--tabsize= -w/--width= -Z/--context`,
  cat: `-A/--show-all -b/--number-nonblank -E/--show-ends -n/--number -s/--squeeze-blank -T/--show-tabs
    -v/--show-nonprinting`,
  head: '-c/--bytes= -n/--lines= -q/--quiet/--silent -v/--verbose -z/--zero-terminated',
  tail: `-c/--bytes= -f/--follow? -n/--lines= -q/--quiet/--silent -s/--sleep-interval= -v/--verbose
    -z/--zero-terminated`,
  wc: '-c/--bytes -m/--chars -l/--lines -L/--max-line-length -w/--words',
  cut: '-b/--bytes= -c/--characters= -d/--delimiter= -f/--fields= -s/--only-delimited -z/--zero-terminated',
  tr: '-c/-C/--complement -d/--delete -s/--squeeze-repeats -t/--truncate-set1',
  uniq: `-c/--count -d/--repeated -f/--skip-fields= -i/--ignore-case -s/--skip-chars= -u/--unique
    -z/--zero-terminated -w/--check-chars=`,
  'grep egrep fgrep': `-E/--extended-regexp -F/--fixed-strings -G/--basic-regexp -P/--perl-regexp -e/--regexp= -f/--file=
    -i/--ignore-case -w/--word-regexp -x/--line-regexp -z/--null-data -s/--no-messages -v/--invert-match
    -m/--max-count= -b/--byte-offset -n/--line-number -H/--with-filename -h/--no-filename -o/--only-matching
    -q/--quiet/--silent -a/--text -d/--directories= -D/--devices= -r/--recursive -R/--dereference-recursive
    -L/--files-without-match -l/--files-with-matches -c/--count -T/--initial-tab -Z/--null -B/--before-context=
    -A/--after-context= -C/--context= -U/--binary`,
  du: `-0/--null -a/--all -B/--block-size= -b/--bytes -c/--total -D/--dereference-args -d/--max-depth=
    -h/--human-readable -L/--dereference -l/--count-links -P/--no-dereference -S/--separate-dirs -s/--summarize
    -t/--threshold= -X/--exclude-from= -x/--one-file-system`,
  df: `-a/--all -B/--block-size= -h/--human-readable -H/--si -i/--inodes -l/--local -P/--portability -t/--type=
    -T/--print-type -x/--exclude-type=`,
  stat: '-L/--dereference -f/--file-system -t/--terse',
  diff: `-q/--brief -s/--report-identical-files -c/-C/--context? -u/-U/--unified? -e/--ed -n/--rcs
    -y/--side-by-side -W/--width= -p/--show-c-function -F/--show-function-line= -t/--expand-tabs -T/--initial-tab
    -l/--paginate -r/--recursive -N/--new-file -x/--exclude= -X/--exclude-from= -S/--starting-file= -i/--ignore-case
    -E/--ignore-tab-expansion -Z/--ignore-trailing-space -b/--ignore-space-change -w/--ignore-all-space
    -B/--ignore-blank-lines -I/--ignore-matching-lines= -a/--text -D/--ifdef= -d/--minimal -v/--version`,
  cmp: '-b/--print-bytes -i/--ignore-initial= -l/--verbose -n/--bytes= -s/--quiet/--silent -v/--version',
  paste: '-d/--delimiters= -s/--serial -z/--zero-terminated',
  comm: '-z/--zero-terminated',
  join: '-i/--ignore-case -z/--zero-terminated',
  fold: '-b/--bytes -s/--spaces -w/--width=',
  fmt: `-c/--crown-margin -p/--prefix= -s/--split-only -t/--tagged-paragraph -u/--uniform-spacing -w/--width=
    -g/--goal=`,
  expand: '-i/--initial -t/--tabs=',
  unexpand: '-a/--all -t/--tabs=',
  'base64 base32': '-d/--decode -i/--ignore-garbage -w/--wrap=',
  od: `-A/--address-radix= -j/--skip-bytes= -N/--read-bytes= -S/--strings? -t/--format= -v/--output-duplicates
    -w/--width?`,
  split: `-a/--suffix-length= -b/--bytes= -C/--line-bytes= -e/--elide-empty-files -l/--lines= -n/--number=
    -t/--separator= -u/--unbuffered`,
  csplit: `-b/--suffix-format= -f/--prefix= -k/--keep-files -n/--digits= -s/--quiet/--silent
    -z/--elide-empty-files`,
  truncate: '-c/--no-create -o/--io-blocks -r/--reference= -s/--size=',
  install: `-C/--compare -d/--directory -g/--group= -m/--mode= -o/--owner= -p/--preserve-timestamps -s/--strip
    -S/--suffix= -t/--target-directory= -T/--no-target-directory -v/--verbose`,
  'gzip gunzip': `-c/--stdout/--to-stdout -d/--decompress/--uncompress -f/--force -k/--keep -l/--list -L/--license -n/--no-name -N/--name
    -q/--quiet -r/--recursive -S/--suffix= -t/--test -v/--verbose -1/--fast -9/--best`,
  'xz unxz': `-z/--compress -d/--decompress -t/--test -l/--list -k/--keep -f/--force -c/--stdout/--to-stdout -e/--extreme
    -T/--threads= -q/--quiet -v/--verbose -H/--long-help`,
  make: `-B/--always-make -C/--directory= -e/--environment-overrides -E/--eval= -f/--file/--makefile=
    -i/--ignore-errors -I/--include-dir= -j/--jobs? -k/--keep-going -l/--load-average/--max-load?
    -L/--check-symlink-times -n/--just-print/--dry-run/--recon -o/--old-file/--assume-old= -O/--output-sync?
    -p/--print-data-base -q/--question -r/--no-builtin-rules -R/--no-builtin-variables -s/--silent/--quiet
    -S/--no-keep-going/--stop -t/--touch -v/--version -w/--print-directory -W/--what-if/--new-file/--assume-new=`,
  file: `-v/--version -m/--magic-file= -z/--uncompress -Z/--uncompress-noreport -b/--brief -c/--checking-printout
    -e/--exclude= -f/--files-from= -F/--separator= -i/--mime -k/--keep-going -l/--list -L/--dereference
    -h/--no-dereference -n/--no-buffer -N/--no-pad -0/--print0 -p/--preserve-date -P/--parameter -r/--raw
    -s/--special-files -S/--no-sandbox -C/--compile -d/--debug`,
  column: `-t/--table -n/--table-name= -O/--table-order= -N/--table-columns= -l/--table-columns-limit=
    -E/--table-noextreme= -d/--table-noheadings -e/--table-header-repeat -H/--table-hide= -R/--table-right=
    -T/--table-truncate= -W/--table-wrap= -L/--keep-empty-lines -J/--json -r/--tree= -i/--tree-id= -p/--tree-parent=
    -c/--output-width= -o/--output-separator= -s/--separator= -x/--fillrows`,
  hexdump: `-b/--one-byte-octal -c/--one-byte-char -C/--canonical -d/--two-bytes-decimal -o/--two-bytes-octal
    -x/--two-bytes-hex -L/--color? -e/--format= -f/--format-file= -n/--length= -s/--skip= -v/--no-squeezing`,
  'md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum':
    '-b/--binary -c/--check -t/--text -z/--zero -w/--warn',
  cksum: '-a/--algorithm= -c/--check -l/--length= -z/--zero -w/--warn',
  date: '-d/--date= -f/--file= -I/--iso-8601? -R/--rfc-email/--rfc-2822 -r/--reference= -s/--set= -u/--utc/--universal',
  nice: '-n/--adjustment=',
  timeout: '-k/--kill-after= -s/--signal= -v/--verbose',
  env: '-i/--ignore-environment -0/--null -u/--unset= -C/--chdir= -S/--split-string= -v/--debug',
  xargs: `-0/--null -a/--arg-file= -d/--delimiter= -e/--eof? -i/--replace? -L/--max-lines= -n/--max-args=
    -o/--open-tty -P/--max-procs= -p/--interactive -r/--no-run-if-empty -s/--max-chars= -t/--verbose -x/--exit`,
  tac: '-b/--before -r/--regex -s/--separator=',
  nl: `-b/--body-numbering= -d/--section-delimiter= -f/--footer-numbering= -h/--header-numbering=
    -i/--line-increment= -l/--join-blank-lines= -n/--number-format= -p/--no-renumber -s/--number-separator=
    -v/--starting-line-number= -w/--number-width=`,
  shuf: '-e/--echo -i/--input-range= -n/--head-count= -o/--output= -r/--repeat -z/--zero-terminated',
  seq: '-f/--format= -s/--separator= -w/--equal-width',
  realpath: `-e/--canonicalize-existing -m/--canonicalize-missing -L/--logical -P/--physical -q/--quiet
    -s/--strip/--no-symlinks -z/--zero`,
  readlink: `-f/--canonicalize -e/--canonicalize-existing -m/--canonicalize-missing -n/--no-newline -q/--quiet
    -s/--silent -v/--verbose -z/--zero`,
  basename: '-a/--multiple -s/--suffix= -z/--zero',
  mktemp: '-d/--directory -u/--dry-run -q/--quiet -p/--tmpdir?',
  shred: '-f/--force -n/--iterations= -s/--size= -v/--verbose -x/--exact -z/--zero',
  mount: `-a/--all -c/--no-canonicalize -f/--fake -F/--fork -T/--fstab= -i/--internal-only -l/--show-labels
    -m/--mkdir? -n/--no-mtab -o/--options= -O/--test-opts= -r/--read-only -t/--types= -v/--verbose
    -w/--rw/--read-write -N/--namespace= -L/--label= -U/--uuid= -B/--bind -M/--move -R/--rbind`,
  umount: `-a/--all -A/--all-targets -c/--no-canonicalize -d/--detach-loop -f/--force -i/--internal-only
    -n/--no-mtab -l/--lazy -O/--test-opts= -R/--recursive -r/--read-only -t/--types= -v/--verbose -q/--quiet
    -N/--namespace=`,
  useradd: `-b/--base-dir= -c/--comment= -d/--home-dir= -D/--defaults -e/--expiredate= -f/--inactive=
    -F/--add-subids-for-system -g/--gid= -G/--groups= -k/--skel= -K/--key= -l/--no-log-init -m/--create-home
    -M/--no-create-home -N/--no-user-group -o/--non-unique -p/--password= -r/--system -R/--root= -P/--prefix=
    -s/--shell= -u/--uid= -U/--user-group -Z/--selinux-user=`,
  usermod: `-a/--append -b/--badname -c/--comment= -d/--home= -e/--expiredate= -f/--inactive= -g/--gid=
    -G/--groups= -l/--login= -L/--lock -m/--move-home -o/--non-unique -p/--password= -P/--prefix= -r/--remove
    -R/--root= -s/--shell= -u/--uid= -U/--unlock -v/--add-subuids= -V/--del-subuids= -w/--add-subgids=
    -W/--del-subgids= -Z/--selinux-user=`,
  gpg: `-s/--sign -b/--detach-sign -e/--encrypt -c/--symmetric -d/--decrypt -k/--list-keys -K/--list-secret-keys
    -v/--verbose -q/--quiet -n/--dry-run -i/--interactive -a/--armor -o/--output= -r/--recipient= -u/--local-user=`,
}
