import {createFileShape, createMessageFiles} from './files/shape.ts'
import type {SlackRecord} from './record.ts'
import {createChannels} from './workspace/channels.ts'
import {createUsergroups} from './workspace/usergroups.ts'
import {createRoster, type Team, type WorkspaceSeed} from './workspace/workspace.ts'

/** One workspace: who and what there is, whichever app looks at it. */
export function openTeam(
  {database, changes, files, origin, now}: SlackRecord,
  team: Team,
  seed: WorkspaceSeed,
) {
  const roster = createRoster(database, team, seed)
  const fileShape = createFileShape(roster, origin)
  return {
    roster,
    channels: createChannels({roster, changes, now}),
    usergroups: createUsergroups(database, team.id),
    fileShape,
    filesOf: createMessageFiles(files, fileShape),
  }
}

export type TeamSide = ReturnType<typeof openTeam>
