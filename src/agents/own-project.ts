import type {ChoiceStore} from '../store/choices.ts'
import {isDirect} from './knowing.ts'
import type {Effective} from './settings.ts'

/** The project of a channel; of a direct message also the one that its person has chosen. */
export async function ownProject(
  {choices}: {choices: ChoiceStore},
  {team, channel, user}: {team: string; channel: string; user: string},
  {projectId}: Pick<Effective['values'], 'projectId'>,
): Promise<string | undefined> {
  if (projectId !== undefined || !isDirect(channel)) return projectId
  return (await choices.of({team, user})).project
}
