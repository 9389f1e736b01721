/** Words of the tabs beside a session. */
export const tabsText = {
  label: 'About this session',
  review: 'Review',
  verification: 'Verification',
  files: 'Files',
  charts: 'Charts',
  attempts: 'Attempts',
  provenance: 'Provenance',
  loading: (name: string) => `Opening ${name}…`,
};
