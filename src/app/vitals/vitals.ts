import type {Config} from '../../config/config.ts'
import type {ClockCheck} from '../../inbox/clock-check.ts'
import type {Obstacles} from '../../relay/publish/obstacles.ts'
import type {Connections} from '../../relay/streams/connections.ts'
import type {Vitals} from '../../slack/doctor/doctor.ts'
import type {Installs} from '../../slack/installs/installs.ts'
import type {Sockets} from '../../slack/receivers/sockets.ts'

interface VitalsOptions {
  config: Config
  connections: Connections
  obstacles: Obstacles
  clock: ClockCheck
}

/** What the process knows of itself; of what is opened last, from then on. */
export function createVitals({config, connections, obstacles, clock}: VitalsOptions) {
  const {slack, sealingKeys, platform} = config
  let sockets: Sockets | undefined
  let installs: Installs | undefined
  const vitals: Vitals = {
    socketAgesMs: () => (slack.delivery.mode === 'http' ? undefined : (sockets?.agesMs() ?? [])),
    streams: () => connections.openStreams(),
    obstacles: () => obstacles.all(),
    explainRefusal: (team, code) => installs?.explainRefusal(team, code) ?? code,
    keyIds: sealingKeys.map(({id}) => id),
    hasStandardKey: platform.standard !== undefined,
    clockTrouble: clock.trouble,
  }
  return {
    ...vitals,
    /** `undefined`: there are none, or not yet. */
    sockets: () => sockets,
    haveInstalls: (now: Installs) => void (installs = now),
    haveSockets: (now: Sockets) => void (sockets = now),
  }
}
