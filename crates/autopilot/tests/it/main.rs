//! The program from outside: the real binary, real git, real processes, in a sandbox of its own.

mod full_disk;
mod harness;

mod answers;
mod as_it_was;
mod canaries;
mod certificates;
mod command_agents;
mod damaged_workspaces;
mod demo;
mod disk;
mod doubles;
mod evidence;
mod ground;
mod ground_lost;
mod hostile_text;
mod kept;
mod kills;
mod landing;
mod left_out;
mod looking;
mod misbehaving;
mod moved_branch;
mod moved_project;
mod odd_workspaces;
mod overruling;
mod own_state;
mod phases_command;
mod promises;
mod rails;
mod roadmaps;
mod signals;
mod sim;
mod starting;
mod telling;
mod terminal;
