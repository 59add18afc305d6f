/** States of answers, as staff read them. */
export const STATE_NAMES: Readonly<Record<string, string>> = {
  answered: 'Answered with sources',
  answered_without_source: 'Answered without a source',
  clarified: 'Asked back',
  not_covered: 'Not covered',
  out_of_scope: 'Out of scope',
  referred: 'Referred',
  blocked_input: 'Blocked prompt',
  blocked_output: 'Blocked answer',
  suspended: 'Stopped by staff',
  failed: 'Failed',
  stopped: 'Stopped by the visitor',
  interrupted: 'Interrupted',
}
