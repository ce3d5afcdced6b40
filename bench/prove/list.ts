/** How a bench is run when all are: in little time, and by everything that it judges. */
export interface QuickForm {
  name: string
  file: string
  args: readonly string[]
  /** How long that takes on two cores with nothing else to do. */
  seconds: number
  /** How many lines it ends with at least. One that ends with fewer has judged less than it should. */
  lines: number
  /** Takes `--seed`. */
  isSeeded?: true
}

/**
 * What finds most in a second comes first: whoever has five minutes runs what five minutes hold, and has tried most of the house. First what
 * works without a bot, then whole worlds by breadth, last what has to wait for minutes by nature.
 */
export const QUICK_FORMS: readonly QuickForm[] = [
  bench('signatures', {seconds: 3, lines: 2, isSeeded: true}, '--count 5000'),
  bench('rotation', {seconds: 2, lines: 5, isSeeded: true}, '--rows 2000'),
  bench('backups', {seconds: 2, lines: 3}, '--backups 10'),
  bench('cuts', {seconds: 3, lines: 2, isSeeded: true}, '--every 307'),
  bench('choices', {seconds: 5, lines: 4, isSeeded: true}, '--questions 40'),
  bench('check-platform', {seconds: 10, lines: 5}, '--every 12'),
  bench('growth', {seconds: 9, lines: 3, isSeeded: true}, '--texts 200'),
  bench('text', {seconds: 10, lines: 4, isSeeded: true}, '--texts 1000 --rounds 5'),
  bench('worst-inputs', {seconds: 20, lines: 2, isSeeded: true}, '--shapes 100'),
  bench('store-kills', {seconds: 15, lines: 3, isSeeded: true}, '--kills 80'),
  bench('store-faults', {seconds: 25, lines: 2, isSeeded: true}, '--points 24'),
  bench('store-full', {seconds: 8, lines: 4}, '--rounds 2'),
  bench(
    'store-speed',
    {seconds: 12, lines: 9},
    '--relays 500 --seconds 3 --lock-seconds 5 --log-megabytes 50',
  ),
  bench('years', {seconds: 10, lines: 2}, '--links 300000 --rounds 5'),
  bench('digests', {seconds: 12, lines: 2, isSeeded: true}, '--days 20 --channels 2 --breaks 5'),
  bench('once', {seconds: 40, lines: 8, isSeeded: true}, '--clicks 50 --deliveries 300 --lost 20'),
  bench('faults', {seconds: 45, lines: 17, isSeeded: true}, '--threads 30 --faults 200'),
  bench(
    'hooks',
    {seconds: 35, lines: 6, isSeeded: true},
    '--deliveries 300 --kills 2 --channels 3',
  ),
  bench(
    'rules',
    {seconds: 25, lines: 5, isSeeded: true},
    '--messages 200 --rules 5 --kills 1 --moments 6',
  ),
  bench('payloads', {seconds: 25, lines: 3, isSeeded: true}, '--count 2000'),
  bench('files', {seconds: 35, lines: 8}, '--fetches 100 --kills 2'),
  bench('simulation', {seconds: 65, lines: 2}, '--short --minutes 1'),
  bench('start', {seconds: 22, lines: 4}, '--runs 3'),
  bench('matrix', {seconds: 30, lines: 2}, '--every 97'),
  bench(
    'pull-requests',
    {seconds: 50, lines: 6, isSeeded: true},
    '--deliveries 120 --pull-requests 9 --kills 1',
  ),
  bench(
    'watches',
    {seconds: 35, lines: 7, isSeeded: true},
    '--channels 4 --projects 2 --threads 40 --seconds 20 --every 1 --per-second 1',
  ),
  bench(
    'hook-bodies',
    {seconds: 35, lines: 7, isSeeded: true},
    '--bodies 3000 --slow 100 --checks 50000',
  ),
  bench('upgrades', {seconds: 35, lines: 2, isSeeded: true}, '--kills 10'),
  bench('migrate-store', {seconds: 25, lines: 6, isSeeded: true}, '--rows 5000 --kills 2'),
  bench('kills', {seconds: 60, lines: 18, isSeeded: true}, '--kills 3 --threads 8'),
  bench('fuzz-platform', {seconds: 18, lines: 3, isSeeded: true}, '--requests 20000'),
  bench('canaries', {seconds: 40, lines: 3}, 'test/world/stop'),
  bench('relay', {seconds: 55, lines: 4, isSeeded: true}, '--threads 5 --writers auto'),
  bench('schedule', {seconds: 40, lines: 10, isSeeded: true}, '--threads 1,5 --crowd 200'),
  bench(
    'first-sign',
    {seconds: 55, lines: 3, isSeeded: true},
    '--rounds 1 --only talks,stops --streams 5',
  ),
  bench('noise', {seconds: 50, lines: 14}, '--pace 0.2'),
  bench('limits', {seconds: 70, lines: 5, isSeeded: true}, '--minutes 0.5 --threads 4'),
  bench('streams', {seconds: 45, lines: 3}, '--seconds 10 --without-baseline'),
  bench('outage', {seconds: 90, lines: 9}, '--outage-seconds 20'),
  bench('platform', {seconds: 12, lines: 4}, '--streams 500 --frames 1000 --seconds 6'),
  bench('metrics', {seconds: 45, lines: 2}, '--pairs 1 --windows 2 --seconds 10'),
  bench('stall', {seconds: 50, lines: 9}, '--only labels'),
  // Five waves: their lines take three behind the first quarter.
  bench('soak', {seconds: 180, lines: 20, isSeeded: true}, '--minutes 2.3 --threads 8 --faults 40'),
  bench('page', {seconds: 30, lines: 2, isSeeded: true}, '--messages 300 --seconds 8'),
  bench('image', {seconds: 45, lines: 1}, ''),
  ...instances('kills', {seconds: 150, lines: 11}, '--rounds 1 --stop-seconds 15-18'),
  ...instances('takeovers', {seconds: 160, lines: 11}, '--rounds 4'),
  ...instances('database', {seconds: 80, lines: 11}, '--minutes 0.5'),
  // One in twenty is for an agent: with fewer, one late one is the 99th of a hundred.
  ...instances('deliveries', {seconds: 70, lines: 12}, '--deliveries 4000'),
  ...instances('rolling', {seconds: 110, lines: 12}, '--rounds 1 --minutes 0.5'),
]

type Cost = Pick<QuickForm, 'seconds' | 'lines' | 'isSeeded'>

function bench(name: string, cost: Cost, args: string): QuickForm {
  return {name, file: `bench/${name}.ts`, args: args.split(' ').filter(Boolean), ...cost}
}

function instances(part: string, cost: Cost, args: string): QuickForm[] {
  const all = `--part ${part} --instances 2 --workspaces 4 --threads 12 ${args}`
  return [
    {
      ...{name: `instances ${part}`, file: 'bench/instances.ts', args: all.split(' ')},
      ...{...cost, isSeeded: true},
    },
  ]
}
