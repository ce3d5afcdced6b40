/** What whoever built a workflow reads, or whoever ran it, when its step comes to nothing. */
export const workflowTexts = {
  /** The same for channels that do not exist or are none of theirs. */
  notLetIn:
    'Workflows may not start work in that channel. Its admins let them with /bosun channel.',
  noTask:
    'The step “Start an agent and wait” has nothing in “Task”: the agent is told what stands there.',
  unknownStep:
    'Bosun does not know this step (any more). Take it out of the workflow, and add it again.',
  tooMany: (most: number) =>
    `Workflows have started ${most} pieces of work in that channel within an hour, which is as much as they may.`,
  notBegun:
    'The work did not begin: Bosun may be no member of the channel, or lack a project or room in the limits and budgets there. Whoever asks Bosun for the same there reads why.',
} as const
